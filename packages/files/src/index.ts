export { findFile, findFiles, type StoredFile } from "./content/find-file.ts";
export { imageSizeOf } from "./content/image-size.ts";
export { isAllowedType } from "./content/receive-content.ts";
export { contentFields, readableFiles, requireContent } from "./content/require-content.ts";
export { sniffType } from "./content/sniff.ts";
export {
  createImageVariants,
  type ImageSource,
  type ImageVariant,
  type ImageVariants,
  type VariantRequest,
} from "./images/image-variants.ts";
export { purgeVariants } from "./images/stored-variants.ts";
export { CopyDiffers, type MoveStep, moveObjects } from "./move/move-objects.ts";
export { storageAt } from "./move/storage-at.ts";
export type { HookRequest, SendToHook } from "./scan/hook-scanner.ts";
export { startFileScans } from "./scan/start-file-scans.ts";
export { headersOf, type ServedAs, type ServedFile } from "./serve/file-headers.ts";
export { openStorage, type StorageConfig } from "./storage/open-storage.ts";
export {
  type ByteRange,
  ObjectMissing,
  type Storage,
  type StoredObject,
} from "./storage/storage.ts";
export { createStorageKey, storagePrefixes } from "./storage/storage-key.ts";
export { storagePlace, storageVariables } from "./storage/storage-place.ts";
export { countFiles, type FileCounts } from "./sweep/count-files.ts";
export { type StartSweepsDeps, type SweepKind, startSweeps } from "./sweep/start-sweeps.ts";
export { discardUploads } from "./uploads/discard-uploads.ts";
export {
  createFileUploads,
  type FileUploads,
  type UploadContext,
} from "./uploads/file-uploads.ts";
export type { Upload, UploadInput } from "./uploads/upload.ts";
