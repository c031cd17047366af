import type { NavigationResource } from "../../shell/navigation.ts";
import { type FieldOption, type FieldUse, fittingFields } from "./field-options.ts";
import type { ViewDraft } from "./view-draft.ts";

/** What every control of the builder needs. */
export interface BuilderParts {
  readonly draft: ViewDraft;
  readonly resource: NavigationResource;
  readonly options: readonly FieldOption[];
  /** The message of the service at a place in the DataView: `/presentation/group`. */
  readonly faultAt: (pointer: string) => string | undefined;
  readonly change: (change: Partial<ViewDraft>) => void;
}

/** The fields of the builder's resource that fit a use. */
export function fittingOf(parts: BuilderParts, use: FieldUse): readonly FieldOption[] {
  return fittingFields(parts.options, use, parts.resource);
}
