import type { schema } from "@rowhouse/db";

/** A row of `system.uploads`: bytes that are received, or complete and not yet attached to a file. */
export type Upload = typeof schema.uploads.$inferSelect;

/** What the sender says of a file before its bytes. */
export interface UploadInput {
  readonly name: string;
  readonly claimedType: string | null;
  /** The declared size in bytes; null if it is unknown. */
  readonly length: number | null;
}
