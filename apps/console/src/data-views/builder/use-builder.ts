import { type Fault, RowhouseError } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { readingsKey } from "../../records/saved/reading-api.ts";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { bodyOf, draftOf, isSameDraft, type StoredView, type ViewDraft } from "./view-draft.ts";

/** Another administrator has changed the DataView since it was opened, or has deleted it. */
type BuilderConflict =
  | { readonly kind: "CHANGED"; readonly present: StoredView }
  | { readonly kind: "DELETED" };

/** A DataView while it is built: its draft, and what the service says when it is saved. */
export function useBuilder(stored: StoredView | undefined, first: ViewDraft) {
  const queries = useQueryClient();
  const describe = useFailureText();
  const [base, setBase] = useState(stored);
  const [origin, setOrigin] = useState(first);
  const [draft, setDraft] = useState(first);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<BuilderConflict>();
  const faults = useMemo(() => faultsOfView(error, "/data"), [error]);
  const isUnsaved = !isSameDraft(draft, origin);

  const take = (view: StoredView): void => {
    setBase(view);
    setOrigin(draftOf(view));
    setDraft(draftOf(view));
    setConflict(undefined);
    setError(undefined);
  };
  const write = async (isForced: boolean): Promise<StoredView | undefined> => {
    const { resourceId, ...data } = bodyOf(draft);
    if (base === undefined) {
      return (await client.admin.post("/data-views", { data: { ...data, resourceId } })).data;
    }
    const path = { id: base.id };
    const { data: present, etag } = await client.admin.get("/data-views/{id}", { path });
    if (!isForced && present.updatedAt !== base.updatedAt) {
      setConflict({ kind: "CHANGED", present });
      return undefined;
    }
    return (await client.admin.patch("/data-views/{id}", { path, data, ifMatch: etag })).data;
  };
  const save = async (isForced = false): Promise<StoredView | undefined> => {
    if (isBusy) return undefined;
    setBusy(true);
    setError(undefined);
    setConflict(undefined);
    try {
      const saved = await write(isForced);
      if (saved === undefined) return undefined;
      take(saved);
      const keys = [readingsKey("dataView"), navigationQuery.queryKey, ["data-view", saved.id]];
      await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
      return saved;
    } catch (failure) {
      const isGone = failure instanceof RowhouseError && failure.status === 404;
      if (base !== undefined && isGone) setConflict({ kind: "DELETED" });
      else setError(failure);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return {
    ...{ draft, isBusy, conflict, faults, isUnsaved, take, save },
    lost: base?.lost ?? [],
    failure:
      error === undefined || (faults.length > 0 && faults.every(isPlaced))
        ? undefined
        : describe(error),
    change: (change: Partial<ViewDraft>) => setDraft((last) => ({ ...last, ...change })),
    undo: () => setDraft(origin),
  };
}

/**
 * Returns the faults of a refusal with their places in the DataView itself: `/presentation/group`. Faults elsewhere,
 * such as of the person of a preview, keep their path.
 *
 * @param base the JSON pointer of the DataView in the request
 */
export function faultsOfView(error: unknown, base: "/data" | "/data/view"): readonly Fault[] {
  const faults = error instanceof RowhouseError ? error.faults : [];
  return faults.map((fault) =>
    fault.path?.startsWith(`${base}/`) === true
      ? { ...fault, path: fault.path.slice(base.length) }
      : fault,
  );
}

const placed =
  /^\/(?:name|description|icon|resourceId|fields|where|orderBy|limit|roleIds|presentation)(?:\/|$)/;

/** Whether a control of the builder shows a fault. */
export function isPlaced({ path }: Fault): boolean {
  return path !== undefined && placed.test(path);
}

/** Returns the message at a place or within it. */
export function messageAt(faults: readonly Fault[], pointer: string): string | undefined {
  return faults.find(({ path }) => path === pointer || path?.startsWith(`${pointer}/`) === true)
    ?.message;
}
