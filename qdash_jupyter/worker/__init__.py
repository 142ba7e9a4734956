"""Code of a model where there is no kernel: each piece runs in a process of its own, which reaches nothing outside.

`isolated` is the worker, `kernel` its place in a conversation. `confinement` says what confines a job on this machine;
`zygote` is the process that forks one child for each job, `job` what that child does, `seccomp` and `landlock` what
the kernel then refuses it.
"""
