/** Something that keeps a process from starting; its message is one sentence for whoever started it. */
export class StartError extends Error {
  override readonly name = "StartError";
}
