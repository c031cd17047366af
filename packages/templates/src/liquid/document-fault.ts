/** A fault of a document. Its code and its message are public. */
export class DocumentFault extends Error {
  override readonly name = "DocumentFault";
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
