import type { FieldNames } from "@rowhouse/access";
import { mapPresentation } from "./map-presentation.ts";
import type { Presentation } from "./presentation.ts";

/** Lists the paths of the fields that a presentation names. */
export function namesOfPresentation(presentation: Presentation): string[] {
  const names = new Set<string>();
  renamePresentation(presentation, (path) => {
    names.add(path);
    return path;
  });
  return [...names];
}

/** Replaces the fields that a presentation names by their current paths. */
export function renamePresentation<Given extends Presentation>(
  presentation: Given,
  nameOf: FieldNames,
): Given {
  const renamed = mapPresentation(presentation, (path) => nameOf(path, path));
  return (renamed ?? presentation) as Given;
}
