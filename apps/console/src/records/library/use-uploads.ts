import { useSyncExternalStore } from "react";
import type { UploadTask } from "./upload-queue.ts";
import { uploads } from "./uploads.ts";

/** The uploads of this tab. */
export function useUploads(): readonly UploadTask[] {
  return useSyncExternalStore(uploads.subscribe, uploads.all);
}
