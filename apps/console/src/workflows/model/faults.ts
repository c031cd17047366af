import { walkSteps } from "./branches.ts";
import type { Definition, KindBranches } from "./definition.ts";
import { isWithin } from "./pointer.ts";

/** A fault of a definition, as a check of the service reports it. */
export interface DefinitionFault {
  readonly code: string;
  /** A JSON pointer into the definition. */
  readonly path: string;
  readonly message: string;
  readonly severity?: "ERROR" | "WARNING" | undefined;
}

/** A fault with the innermost step that contains its place. */
export interface PlacedFault extends DefinitionFault {
  /** The key and the pointer of the step; undefined outside of steps. */
  readonly step: { readonly key: string; readonly pointer: string } | undefined;
  /** The pointer from the step, or from the definition. */
  readonly inside: string;
}

/** Finds the step of each fault. */
export function placeFaults(
  definition: Definition,
  kinds: readonly KindBranches[],
  faults: readonly DefinitionFault[],
): PlacedFault[] {
  if (faults.length === 0) return [];
  const keys = new Map([...walkSteps(definition, kinds)].map(({ pointer, key }) => [pointer, key]));
  return faults.map((fault) => {
    for (let end = fault.path.length; end > 0; end = fault.path.lastIndexOf("/", end - 1)) {
      const pointer = fault.path.slice(0, end);
      const key = keys.get(pointer);
      if (key !== undefined) {
        return { ...fault, step: { key, pointer }, inside: fault.path.slice(end) };
      }
    }
    return { ...fault, step: undefined, inside: fault.path };
  });
}

/** Returns the faults within a part of a definition, with pointers from there. */
export function faultsWithin(
  faults: readonly DefinitionFault[],
  pointer: string,
): DefinitionFault[] {
  return faults
    .filter(({ path }) => isWithin(path, pointer))
    .map((fault) => ({ ...fault, path: fault.path.slice(pointer.length) }));
}
