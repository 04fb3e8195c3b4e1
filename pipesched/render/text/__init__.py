"""Lines and tables of text: what there is to say, without saying how it is laid out."""
