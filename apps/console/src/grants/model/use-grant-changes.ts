import { type AdminOperations, RowhouseError } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { client } from "../../shell/client.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { grantKey } from "./grant-queries.ts";

/** A grant that is created, replaced or revoked. */
export type SetGrant = AdminOperations["PUT /grants"]["data"][number];

/** The changes of the grants of a matrix. */
export interface GrantChanges {
  /** Keys of the grants that are being stored. */
  readonly pending: ReadonlySet<string>;
  /** Why the last change failed, and what it would have set. */
  readonly failure: GrantFailure | undefined;
  /** Sets all of them by one request, or none; whether they are set. */
  readonly set: (settings: readonly SetGrant[]) => Promise<boolean>;
  readonly endFailure: () => void;
}

interface GrantFailure {
  readonly error: unknown;
  /** The faults of the settings that the service refuses. */
  readonly faults: readonly { readonly setting: SetGrant; readonly message: string }[];
}

/** Sets several grants by one request. */
export function useGrantChanges(): GrantChanges {
  const queries = useQueryClient();
  const running = useRef<readonly (readonly SetGrant[])[]>([]);
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<GrantFailure>();
  const show = (next: readonly (readonly SetGrant[])[]) => {
    running.current = next;
    setPending(new Set(next.flat().map((one) => grantKey(one.resourceId, one.roleId, one.action))));
  };
  return {
    ...{ pending, failure },
    endFailure: () => setFailure(undefined),
    set: async (settings) => {
      if (settings.length === 0) return true;
      setFailure(undefined);
      show([...running.current, settings]);
      try {
        await client.admin.put("/grants", { data: [...settings] });
        return true;
      } catch (error) {
        setFailure({ error, faults: faultsOf(error, settings) });
        return false;
      } finally {
        await queries.invalidateQueries({ queryKey: ["grants"] });
        void queries.invalidateQueries({ queryKey: navigationQuery.queryKey });
        show(running.current.filter((one) => one !== settings));
      }
    },
  };
}

/** The faults of a refused request, at the settings that their paths name. */
function faultsOf(error: unknown, settings: readonly SetGrant[]): GrantFailure["faults"] {
  const faults = error instanceof RowhouseError ? error.faults : [];
  return faults.flatMap(({ path = "", message }) => {
    const [, , index = "", ...rest] = path.split("/");
    const setting = /^\d+$/.test(index) ? settings[Number(index)] : undefined;
    return setting === undefined
      ? []
      : [{ setting, message: rest.length === 0 ? message : `${message} (${rest.join("/")})` }];
  });
}
