"""`tallystick demo`: an agent is killed in the middle of a step, and another one takes over from the journal alone.

Nothing is simulated: the files, the web server, the processes, the SIGKILL and the failing check are real."""
