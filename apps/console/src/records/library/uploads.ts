import { type FileValues, RowhouseError } from "@rowhouse/client";
import { useSyncExternalStore } from "react";
import { client } from "../../shell/client.ts";
import { queryClient } from "../../shell/query.ts";
import { currentSession, onSessionChange } from "../../shell/session.ts";
import { filesKey } from "./file-queries.ts";
import type { FileRecord } from "./file-record.ts";
import { type StartUpload, UploadQueue, type UploadTask } from "./upload-queue.ts";

/** The uploads of this tab, on whatever page their person is. */
export const uploads = new UploadQueue();

const ask = (event: BeforeUnloadEvent) => event.preventDefault();
uploads.subscribe(() => {
  const isRunning = uploads.all().some(({ state }) => state !== "DONE" && state !== "FAILED");
  if (isRunning) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
});

// Another person who signs in continues nothing.
onSessionChange(() => {
  if (currentSession() !== null) return;
  for (const { id } of uploads.all()) uploads.cancel(id);
});

// What the lost connection has ended continues with it.
addEventListener("online", () => {
  for (const { id, error } of uploads.all()) {
    if (error instanceof RowhouseError && error.code === "NETWORK_ERROR") uploads.resume(id);
  }
});

/** Lists show new files within this time; many small files are one refresh. */
const refreshMs = 500;
let isWaiting = false;

function add(file: File, start: StartUpload) {
  const added = uploads.add(file.name, file.size, start);
  void added.result.then((fileId) => {
    if (fileId === null || isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      void queryClient.invalidateQueries({ queryKey: filesKey });
    }, refreshMs);
  });
  return added;
}

/** Uploads a new file of the library. */
export function uploadFile(file: File, values: FileValues = {}) {
  return add(file, (options) => client.files.upload(file, { ...options, values }));
}

/** Uploads a new version of a file in place of the one that the person sees. */
export function replaceFile({ id, sha256 }: FileRecord, file: File): void {
  const version = typeof sha256 === "string" ? { ifMatch: `"${sha256}"` } : {};
  const { result } = add(file, (options) =>
    client.files.replace(id, file, { ...options, ...version }),
  );
  void result.then(() => {
    // If it was refused, another person has stored a version meanwhile.
    void queryClient.invalidateQueries({ queryKey: filesKey });
    void queryClient.invalidateQueries({ queryKey: ["file link", id] });
  });
}

/** The uploads of this tab. */
export function useUploads(): readonly UploadTask[] {
  return useSyncExternalStore(uploads.subscribe, uploads.all);
}
