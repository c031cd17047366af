import type { RunWorkerDeps } from "../src/index.ts";

const unavailable = () => Promise.reject(new Error("These tests have no files"));
/** Files and documents are packages of other levels; their steps are tested with them (apps/standalone). */
export const noFiles: Pick<RunWorkerDeps, "files" | "documents"> = {
  files: {
    upload: unavailable,
    discard: unavailable,
    describe: unavailable,
    read: unavailable,
  },
  documents: { render: unavailable },
};
