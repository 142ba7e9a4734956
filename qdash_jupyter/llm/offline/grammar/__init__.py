"""Reads questions without a language model: a sentence parses whole, or the nearest questions are offered.

common.lark, en.lark, ja.lark   the words, and how parts are made of them
patterns    the words of a language as Lark parses them
parts       a sentence as its parts
assembling  the one query of all parts
follow_ups  what a question means that goes on with the one before
forms       what holds of every query, and a question of each kind
offers      the nearest queries to a sentence that does not parse
"""
