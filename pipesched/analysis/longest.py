"""The longest part of a list that is in order."""

from bisect import bisect_left


def longest_increasing(numbers: list[int]) -> list[int]:
    """Indices of a longest increasing subsequence, by patience sorting; O(n log n)."""
    tops: list[int] = []  # the smallest last number of a subsequence of each length
    at: list[int] = []  # where it stands
    before: list[int] = []
    for index, number in enumerate(numbers):
        length = bisect_left(tops, number)
        before.append(at[length - 1] if length else -1)
        if length == len(tops):
            tops.append(number)
            at.append(index)
        else:
            tops[length], at[length] = number, index
    found, index = [], at[-1] if at else -1
    while index >= 0:
        found.append(index)
        index = before[index]
    return found[::-1]
