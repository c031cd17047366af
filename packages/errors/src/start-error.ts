/** A condition that prevents the start of a process. The message is one sentence for the operator. */
export class StartError extends Error {
  override readonly name = "StartError";
}
