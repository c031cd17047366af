import type { Readable } from "node:stream";

/** The first and the last byte of a part of an object. */
export interface ByteRange {
  readonly start: number;
  /** The last byte, inclusive. */
  readonly end: number;
}

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** Where the bytes of files are: a folder or a bucket. Objects never change. */
export interface Storage {
  /**
   * Stores an object, which appears only when it is complete. Nothing remains if `content` fails or `signal` aborts.
   *
   * @returns the number of bytes
   * @throws AppError SERVICE_UNAVAILABLE if the storage is full, cannot be reached, or does not prove that it has the bytes
   */
  put(
    key: string,
    content: AsyncIterable<Uint8Array>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<number>;
  /**
   * Opens an object, or a part of it. The stream fails if it has fewer or more bytes, so its end proves them.
   *
   * @param bytes the size of the object, as a row names it
   * @throws ObjectMissing; AppError SERVICE_UNAVAILABLE, also if the object has another size
   */
  get(key: string, bytes: number, range?: ByteRange): Promise<Readable>;
  /** @returns undefined if there is no such object */
  head(key: string): Promise<StoredObject | undefined>;
  /** Deletes an object; a missing one is no error. */
  delete(key: string): Promise<void>;
  /** Lists the objects of a prefix in the order of their keys, from after `after` on. */
  list(prefix: string, after?: string): AsyncIterable<StoredObject>;
  /**
   * Deletes what killed writers left: parts of objects that never appeared.
   *
   * @param before writers that began later may still write
   * @returns their number
   */
  discardUnfinished(before: Date): Promise<number>;
  /** @throws if the storage cannot be reached */
  ping(): Promise<void>;
}

/** No object has the key. */
export class ObjectMissing extends Error {
  override readonly name = "ObjectMissing";

  constructor(key: string) {
    super(`The storage has no object ${key}`);
  }
}
