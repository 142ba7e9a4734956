"""Code of a model in a process of its own, which reaches nothing outside: a session for each conversation.

`isolated` is the worker, `session` a conversation's place in it, `kernel` that place as a kernel, where there is none.
`process` holds the process and speaks with its sessions, in the messages of `channel`; `result` reads what they tell.
`zygote` is that process, and forks; `forked` is a session's process, which gives everything up; `inside` is what it
does, `shell` its IPython, `attempts` what it notes, `refusals` what Python refuses where the system does not.
`names_in` collects the names of a notebook's kernel, `names_out` writes and reads what comes back, `kernel_names` tells
the two apart inside. `confinement` says what confines code on this machine, and `seccomp` and `landlock` do it.
"""
