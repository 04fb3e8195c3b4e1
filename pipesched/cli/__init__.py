"""The command line. One command is one module; what a command needs it imports when it runs."""
