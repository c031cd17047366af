@rem The scripts of package.json begin with exec, so that a signal to npm reaches node and not a shell in between. On Windows,
@rem where cmd has no exec, this file stands for it.
@%*
