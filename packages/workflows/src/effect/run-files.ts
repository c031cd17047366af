import type { RunActor } from "@rowhouse/access";
import type { Queryable } from "@rowhouse/db";

/** The files of the installation, with the current rights of the user and of the run's token, if any. */
export interface RunFiles extends FileReader {
  /**
   * Stores bytes as an upload of the user, for the field `content` of a row of `system.files`. An upload that no row
   * takes is deleted.
   *
   * @returns its id
   * @throws AppError for bytes that the settings do not allow
   */
  upload(file: UploadInput, as: RunActor, signal: AbortSignal): Promise<string>;
  /** Deletes an upload, unless a row has taken it. */
  discard(uploadId: string, as: RunActor): Promise<void>;
}

/** The part of the files that only reads. */
export interface FileReader {
  /**
   * Describes a file whose row and field `content` the user may read.
   *
   * @throws AppError NOT_FOUND
   */
  describe(id: string, as: RunActor, on?: Queryable): Promise<RunFile>;
  /** Reads the bytes of a file that `describe` returned. */
  read(file: RunFile): Promise<Uint8Array>;
}

export interface UploadInput {
  readonly name: string;
  /** The media type that the step names. */
  readonly claimedType: string | null;
  readonly content: Uint8Array;
}

export interface RunFile {
  readonly id: string;
  readonly name: string;
  /** The media type that the bytes have. */
  readonly mediaType: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}
