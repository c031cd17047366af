/** An error that its reader can fix; the command prints the message and exits with code 1. */
export class CommandError extends Error {}
