import { createError } from "@rowhouse/errors";
import type { ImagePreset } from "@rowhouse/settings";

/** Finds a preset by its name. @throws AppError QUERY_INVALID */
export function presetOf(presets: readonly ImagePreset[], name: string): ImagePreset {
  const preset = presets.find((candidate) => candidate.name === name);
  if (preset !== undefined) return preset;
  throw createError("QUERY_INVALID", {
    path: "preset",
    message: "preset must be the name of an image preset (files.image_presets)",
  });
}

/** Returns the name and the definition of a preset as one text: a changed definition is another variant. */
export function presetKeyOf({ name, width, height, fit, format, quality }: ImagePreset): string {
  return `${name} ${width}x${height} ${fit} ${format} ${quality}`;
}
