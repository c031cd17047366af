import type { AdminOperations } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../shell/client.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { type Task, useTask } from "../../shell/use-task.ts";
import { columnsQuery, type ResourceColumn, resourceQuery } from "../model/queries.ts";
import type { Presentation } from "./format-choices.ts";

/** What people read of a table or view. */
export interface ResourceTexts {
  readonly label: string | null;
  readonly description: string | null;
  readonly title: string | null;
}

type ColumnEdits = Readonly<Record<string, Partial<Presentation>>>;

/** A definition that contains a former name of a relation. */
export type Use =
  AdminOperations["PATCH /resources/{id}/columns/{column}"]["answer"]["data"]["uses"][number];

/** The presentation of a table or view as it is edited. Nothing is stored before it is saved. */
export interface PresentationDraft {
  readonly texts: Partial<ResourceTexts>;
  readonly columns: ColumnEdits;
  /** How many values differ from the stored ones. */
  readonly count: number;
  readonly task: Task;
  /** What names a relation by a name that the last save has changed. */
  readonly uses: readonly Use[];
  editTexts(change: Partial<ResourceTexts>): void;
  editColumn(name: string, change: Partial<Presentation>): void;
  discard(): void;
  /** The message at a value of a column. */
  columnFault(name: string, field: keyof Presentation): string | undefined;
}

interface Stored {
  readonly resourceId: string;
  readonly texts: ResourceTexts;
  readonly columns: readonly ResourceColumn[];
}

/** Collects changes of a presentation and saves them together; what was typed stays after a failure. */
export function usePresentation({ resourceId, texts: stored, columns }: Stored): PresentationDraft {
  const queries = useQueryClient();
  const [texts, setTexts] = useState<Partial<ResourceTexts>>({});
  const [edits, setEdits] = useState<ColumnEdits>({});
  const [uses, setUses] = useState<readonly Use[]>([]);
  /** The part whose request failed last. */
  const [sent, setSent] = useState<readonly string[] | string>([]);
  const changedTexts = differing(texts, stored);
  const changedColumns = columns.flatMap((column) => {
    const changes = differing(edits[column.name] ?? {}, column);
    return Object.keys(changes).length === 0 ? [] : [{ name: column.name, changes }];
  });
  const save = async (): Promise<void> => {
    const path = { id: resourceId };
    setUses([]);
    if (Object.keys(changedTexts).length > 0) {
      setSent("texts");
      await client.admin.patch("/resources/{id}", { path, data: changedTexts });
      setTexts({});
    }
    const shown = changedColumns.flatMap(({ name, changes: { relationName: _, ...others } }) =>
      Object.keys(others).length === 0 ? [] : [{ name, ...others }],
    );
    if (shown.length > 0) {
      setSent(shown.map(({ name }) => name));
      await client.admin.patch("/resources/{id}/columns", { path, data: shown });
    }
    for (const { name, changes } of changedColumns) {
      if (changes.relationName === undefined) continue;
      setSent(name);
      const { relationName } = changes;
      const { data } = await client.admin.patch("/resources/{id}/columns/{column}", {
        path: { ...path, column: name },
        data: { relationName },
      });
      setUses((last) => [...last, ...data.uses]);
    }
    setEdits({});
  };
  const pointers = ["/data/label", "/data/description", "/data/title", "/data/relationName"];
  const task = useTask(async () => {
    try {
      await save();
    } finally {
      await Promise.all(
        [columnsQuery(resourceId), resourceQuery(resourceId), navigationQuery].map(({ queryKey }) =>
          queries.invalidateQueries({ queryKey }),
        ),
      );
    }
  }, [...pointers, ...columns.map((_, index) => `/data/${index}`)]);
  return {
    ...{ texts, columns: edits, task, uses },
    count:
      Object.keys(changedTexts).length +
      changedColumns.reduce((sum, { changes }) => sum + Object.keys(changes).length, 0),
    editTexts: (change) => setTexts((last) => ({ ...last, ...change })),
    editColumn: (name, change) =>
      setEdits((last) => ({ ...last, [name]: { ...last[name], ...change } })),
    discard: () => {
      setTexts({});
      setEdits({});
    },
    columnFault: (name, field) => {
      if (sent === name) return task.faultAt(`/data/${field}`);
      const index = typeof sent === "string" ? -1 : sent.indexOf(name);
      return index < 0 ? undefined : task.faultAt(`/data/${index}/${field}`);
    },
  };
}

/** The edited values that differ from the stored ones. */
function differing<Values extends object>(edit: Partial<Values>, stored: Values): Partial<Values> {
  const changed = Object.entries(edit).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof Values]),
  );
  return Object.fromEntries(changed) as Partial<Values>;
}
