"""What the Responses API and the Chat Completions API have in common: a server, its key and its failures.

endpoint       where the server is; the URL without its password, and values that do not print
connection     the `openai` SDK's client (imported at the first question, not before), and what comes from it
failures       what went wrong, in our errors and without keys
refusals       which parameter a server does not take
capabilities   what one server turned out not to take for one model, remembered for a week
model          what the clients of the two APIs have in common: settings, connections, and the key of each request
"""
