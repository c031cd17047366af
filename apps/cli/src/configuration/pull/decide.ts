import type { VariableValue } from "../../yaml/yaml-values.ts";
import {
  type BaseOf,
  isAsApplied,
  isChanged,
  isEdited,
  isTouched,
  leavesMore,
  type MergedDocument,
  mergeFiles,
  type PulledDocument,
  saysBase,
} from "./pulled-documents.ts";

/** What a pull does with a document. */
export type PullDecision =
  /** The files mean what the service has, or nobody but their author has changed them. */
  | { readonly kind: "KEEP" }
  | { readonly kind: "LEAVE"; readonly reason: string }
  | { readonly kind: "TAKE"; readonly merged: MergedDocument }
  | { readonly kind: "REMOVE" }
  | { readonly kind: "CONFLICT"; readonly reason: string };

/** What the decisions of one pull have in common. */
export interface Circumstances {
  /** Whether there is a manifest. Without one, nothing is known of edits, and nothing is deleted. */
  readonly hasManifest: boolean;
  readonly force: boolean;
  readonly variableOf: VariableValue;
  readonly baseOf: BaseOf;
  /** Returns the stems of the documents that would mean what the service has, with these texts. */
  readonly prove: (merged: ReadonlyMap<string, MergedDocument>) => Promise<ReadonlySet<string>>;
}

const reasons = {
  kept: "changed here and not applied",
  deleted: "deleted here and not applied",
  unknown: "not in the service, and not written by pull",
  edited: "changed here and in the service since the last pull",
  restored: "deleted here, and changed in the service since the last pull",
  gone: "changed here, and deleted in the service",
} as const;

/**
 * Decides on each document whose files differ from the service, by three states: the files, the service, and what both were
 * at the last pull or the last apply.
 *
 * @returns decisions by stem
 */
export async function decideAll(
  documents: readonly PulledDocument[],
  circumstances: Circumstances,
): Promise<ReadonlyMap<string, PullDecision>> {
  const { force, variableOf, baseOf, prove, hasManifest } = circumstances;
  const decisions = new Map<string, PullDecision>();
  const open: PulledDocument[] = [];
  for (const document of documents) {
    const decision = decideAlone(document, circumstances);
    if (decision === undefined) open.push(document);
    else decisions.set(document.stem, decision);
  }
  // What only the service has changed is taken over value by value, if the last apply says which values these are.
  const based = new Map(
    open
      .filter(
        (document) =>
          !force &&
          [...document.service.keys()].every((path) => baseOf(path) !== undefined) &&
          !(leavesMore(document) && isAsApplied(document, baseOf)),
      )
      .map((document) => [document.stem, mergeFiles(document, variableOf, baseOf)]),
  );
  const proven = based.size === 0 ? new Set<string>() : await prove(based);
  for (const document of open) {
    const merged = proven.has(document.stem) ? based.get(document.stem) : undefined;
    const isOwn = hasManifest && !force && isEdited(document, variableOf);
    if (merged !== undefined && !(isOwn && merged.isContested)) {
      decisions.set(document.stem, { kind: "TAKE", merged });
    } else if (isOwn) decisions.set(document.stem, { kind: "CONFLICT", reason: reasons.edited });
    else {
      const whole = mergeFiles(document, variableOf, undefined);
      decisions.set(document.stem, { kind: "TAKE", merged: whole });
    }
  }
  return decisions;
}

/** Returns a decision that needs no merge; undefined for a document that the service may have changed. */
function decideAlone(
  document: PulledDocument,
  circumstances: Circumstances,
): PullDecision | undefined {
  const { hasManifest, force, variableOf, baseOf } = circumstances;
  const { own, service, pulled } = document;
  if (service.size === 0) {
    if (pulled.size === 0) return { kind: "LEAVE", reason: reasons.unknown };
    const isOwn = isTouched(document) && !saysBase(document, variableOf, baseOf);
    return force || !isOwn ? { kind: "REMOVE" } : { kind: "CONFLICT", reason: reasons.gone };
  }
  const isDeleted = own.size === 0 && pulled.size > 0;
  if (own.size === 0 && (!isDeleted || force)) {
    return { kind: "TAKE", merged: mergeFiles(document, variableOf, undefined) };
  }
  if (isDeleted) {
    return isChanged(document)
      ? { kind: "CONFLICT", reason: reasons.restored }
      : { kind: "LEAVE", reason: reasons.deleted };
  }
  if (force || !hasManifest || !isEdited(document, variableOf) || isChanged(document))
    return undefined;
  return { kind: "LEAVE", reason: reasons.kept };
}
