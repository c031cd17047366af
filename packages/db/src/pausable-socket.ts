import { connect, type NetConnectOpts, type Socket } from "node:net";
import { Duplex } from "node:stream";

/** Bytes that are read ahead of a paused reader. */
const readAheadBytes = 65_536;

/**
 * A connection whose reader can pause it. The driver reads its socket without backpressure; with this stream it waits
 * while its caller is busy, and so does PostgreSQL. It is not a `Socket`: a TLS layer on top of it therefore reads
 * through this stream instead of the native handle, and pauses as well.
 */
export class PausableSocket extends Duplex {
  readonly #socket: Socket;
  #bytesLeft = Number.POSITIVE_INFINITY;
  #onTooMuch: (() => Error) | undefined;

  constructor(socket: Socket) {
    super({ readableHighWaterMark: readAheadBytes, allowHalfOpen: false });
    this.#socket = socket;
    socket.on("data", (chunk) => {
      this.#bytesLeft -= chunk.length;
      if (this.#bytesLeft < 0) this.destroy(this.#onTooMuch?.());
      else if (!this.push(chunk)) socket.pause();
    });
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
  }

  /**
   * Limits the bytes that the server may send from now on; beyond the limit the connection ends with the given error.
   */
  allow(bytes: number, onTooMuch: () => Error): void {
    this.#bytesLeft = bytes;
    this.#onTooMuch = onTooMuch;
  }

  /** `open` while a Terminate message can still be sent; the driver checks it before it closes the connection. */
  get readyState(): Socket["readyState"] {
    return this.#socket.readyState;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}

/**
 * Connects.
 *
 * @throws the socket's error; after `timeoutMs`, an error with the code `ETIMEDOUT`
 */
export function connectPausable(to: NetConnectOpts, timeoutMs: number): Promise<PausableSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(to);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    socket.setTimeout(timeoutMs, () => {
      const message = "No connection within the time limit";
      socket.destroy(Object.assign(new Error(message), { code: "ETIMEDOUT" }));
    });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      socket.setTimeout(0);
      resolve(new PausableSocket(socket));
    });
  });
}
