import { finished, type Readable, Transform } from "node:stream";
import { AppError } from "@rowhouse/errors";
import { storageAway } from "./storage-errors.ts";

/**
 * Passes a stream on that must have a number of bytes. It fails with SERVICE_UNAVAILABLE instead of its end if there are
 * fewer or more, and if the source fails: a reader that reaches the end has all bytes.
 */
export function exactly(content: Readable, bytes: number): Readable {
  let left = bytes;
  const whole = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      left -= chunk.byteLength;
      if (left < 0) done(differs(bytes));
      else done(null, chunk);
    },
    flush: (done) => done(left === 0 ? null : differs(bytes)),
  });
  finished(content, (error) => {
    if (error) whole.destroy(error instanceof AppError ? error : storageAway(error));
  });
  whole.once("close", () => content.destroy());
  return content.pipe(whole);
}

function differs(bytes: number): AppError {
  return storageAway(new Error(`The storage did not return the ${bytes} bytes of the object`));
}
