import { RowhouseError } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  changedTerms,
  conflictingTerms,
  draftOf,
  fittingDraft,
  type GrantDraft,
  type GrantTerms,
  settingOf,
  termNames,
} from "../../grants/model/grant-draft.ts";
import type { Action, Grant } from "../../grants/model/grant-queries.ts";
import { UnreadText } from "../../records/editors/draft.ts";
import type { FilterFault } from "../../records/filter/filter-faults.ts";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { onPresentVersion } from "../../shell/use-record-form.ts";

/** Another administrator has changed the same terms, or has deleted the grant. */
type GrantConflict =
  | {
      readonly kind: "CHANGED";
      readonly terms: readonly (keyof GrantTerms)[];
      readonly present: Grant;
    }
  | { readonly kind: "DELETED" };

/** Saves a grant, and keeps what the service says of it. */
export interface GrantSaving {
  readonly isBusy: boolean;
  readonly faults: readonly FilterFault[];
  /** The words for a failure that no field shows. */
  readonly failure: string | undefined;
  readonly conflict: GrantConflict | undefined;
  faultAt(pointer: string): string | undefined;
  /**
   * Saves a draft that was made from `base`; null for a new grant. Grants of the same role for the actions of `alike` get
   * its row filter: all of them are saved, or none.
   */
  save(
    base: GrantDraft | null,
    draft: GrantDraft,
    alike: readonly Action[],
  ): Promise<Grant | undefined>;
  remove(): Promise<boolean>;
  endConflict(): void;
}

const shownAtFields = ["/data/roleId", "/data/resourceId", "/data/action"];

/** @param id of the grant; undefined for a new one */
export function useSaveGrant(id: string | undefined): GrantSaving {
  const queries = useQueryClient();
  const describe = useFailureText();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<GrantConflict>();
  const faults = error instanceof RowhouseError ? error.faults.map(ofOwnGrant) : [];
  const isShown = faults.some(({ path = "" }) =>
    [...shownAtFields, ...termNames.map((name) => `/data/${name}`)].some((one) =>
      path.startsWith(one),
    ),
  );
  /** Runs a request; what it changes is loaded again. */
  const run = async <Result>(work: () => Promise<Result | undefined>) => {
    if (isBusy) return undefined;
    setBusy(true);
    setError(undefined);
    setConflict(undefined);
    try {
      const result = await work();
      if (result !== undefined) {
        await Promise.all([
          queries.invalidateQueries({ queryKey: ["grants"] }),
          queries.invalidateQueries({ queryKey: navigationQuery.queryKey }),
        ]);
      }
      return result;
    } catch (failure) {
      if (id !== undefined && failure instanceof RowhouseError && failure.status === 404) {
        setConflict({ kind: "DELETED" });
      } else setError(failure);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  const write = async (
    base: GrantDraft | null,
    draft: GrantDraft,
    alike: readonly Action[],
  ): Promise<Grant | undefined> => {
    const { roleId, resourceId, action, ...terms } = fittingDraft(draft);
    if (id === undefined || base === null) {
      if (alike.length > 0) return writeAlike(draft, alike);
      const data = { roleId, resourceId, action, ...bodyOf(terms) };
      return (await client.admin.post("/grants", { data })).data;
    }
    const path = { id };
    const { data: present, etag } = await client.admin.get("/grants/{id}", { path });
    const both = conflictingTerms(base, draft, draftOf(present));
    if (both.length > 0) {
      setConflict({ kind: "CHANGED", terms: both, present });
      return undefined;
    }
    if (alike.length > 0) {
      return writeAlike({ ...draftOf(present), ...changedTerms(base, draft) }, alike);
    }
    // Terms that are not sent stay as another administrator has set them.
    const data = bodyOf(changedTerms(base, draft));
    return (await client.admin.patch("/grants/{id}", { path, data, ifMatch: etag })).data;
  };
  return {
    ...{ isBusy, faults, conflict },
    failure: error === undefined || isShown ? undefined : describe(error),
    faultAt: (pointer) =>
      faults.find(({ path }) => path === pointer || path?.startsWith(`${pointer}/`) === true)
        ?.message,
    save: (base, draft, alike) => {
      // The editor of such a value shows its fault.
      if (Object.values(draft.presets).some((value) => value instanceof UnreadText)) {
        return Promise.resolve(undefined);
      }
      return run(() => onPresentVersion(() => write(base, draft, alike)));
    },
    remove: async () => {
      const done = await run(async () => {
        if (id !== undefined) await client.admin.delete("/grants/{id}", { path: { id } });
        return true;
      });
      return done === true;
    },
    endConflict: () => setConflict(undefined),
  };
}

/** Saves a grant and its row filter in other grants of its role by one request. */
async function writeAlike(draft: GrantDraft, alike: readonly Action[]): Promise<Grant | undefined> {
  const { roleId, resourceId, rowFilter } = draft;
  const query = { roleId, resourceId };
  const { data: present } = await client.admin.get("/grants", { query });
  const others = present.filter(({ action }) => alike.includes(action));
  const drafts = [draft, ...others.map((grant) => ({ ...draftOf(grant), rowFilter }))];
  const { data: saved } = await client.admin.put("/grants", { data: drafts.map(settingOf) });
  return saved[0];
}

/** A fault of a request that saves several grants, the first of which is the own one. */
function ofOwnGrant<Fault extends { readonly path?: string | undefined }>(fault: Fault): Fault {
  return fault.path?.startsWith("/data/0/") === true
    ? { ...fault, path: fault.path.replace("/data/0/", "/data/") }
    : fault;
}

type Body = {
  fields?: string[] | null;
  rowFilter?: { [name: string]: unknown } | null;
  check?: { [name: string]: unknown } | null;
  presets?: { [name: string]: unknown };
};

/** The terms as the request has them. */
function bodyOf({ fields, rowFilter, check, presets }: Partial<GrantTerms>): Body {
  const copy = <Value extends object>(value: Value | null) =>
    value === null ? null : { ...value };
  return {
    ...(fields === undefined ? {} : { fields: fields === null ? null : [...fields] }),
    ...(rowFilter === undefined ? {} : { rowFilter: copy(rowFilter) }),
    ...(check === undefined ? {} : { check: copy(check) }),
    ...(presets === undefined
      ? {}
      : {
          presets: Object.fromEntries(
            Object.entries(presets).map(([name, value]) => [
              name,
              value ?? (value === null ? null : ""),
            ]),
          ),
        }),
  };
}
