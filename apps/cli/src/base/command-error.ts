/** An error that its reader can fix; the command prints the message and exits with the code. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The message for the operator, with its cause. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return `${error}.`;
  const detail = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${error.message.replace(/\.$/, "")}${detail}.`;
}
