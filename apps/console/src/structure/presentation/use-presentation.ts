import type { AdminOperations } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../shell/client.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { isChangedMeanwhile, onPresentVersion } from "../../shell/use-record-form.ts";
import { type Task, useTask } from "../../shell/use-task.ts";
import { columnsQuery, type ResourceColumn, resourceQuery } from "../model/queries.ts";
import type { Presentation } from "./format-choices.ts";

type Changes = AdminOperations["PATCH /resources/{id}"]["data"];

/** What people read of a table or view. */
export type ResourceTexts = {
  readonly [K in "label" | "description" | "title"]-?: Exclude<Changes[K], undefined>;
};

type ColumnEdits = Readonly<Record<string, Partial<Presentation>>>;

/** A definition that contains a former name of a relation. */
export type Use = AdminOperations["PATCH /resources/{id}"]["answer"]["data"]["uses"][number];

/** The presentation of a table or view as it is edited. Nothing is stored before it is saved. */
export interface PresentationDraft {
  readonly texts: Partial<ResourceTexts>;
  readonly columns: ColumnEdits;
  /** How many values differ from the stored ones. */
  readonly count: number;
  readonly task: Task;
  /** Whether another person has changed an edited value, so that the last attempt stored nothing. */
  readonly isOverwriting: boolean;
  /** What names a relation by a name that the last save has changed. */
  readonly uses: readonly Use[];
  editTexts(change: Partial<ResourceTexts>): void;
  editColumn(name: string, change: Partial<Presentation>): void;
  discard(): void;
  /** The message at a value of a column. */
  columnFault(name: string, field: keyof Presentation): string | undefined;
}

interface Stored {
  readonly texts: ResourceTexts;
  readonly columns: readonly ResourceColumn[];
}

/**
 * Collects changes of a presentation and saves them in one request; what was typed stays after a failure. A value that
 * another person has changed since the first edit is not overwritten before a second press.
 */
export function usePresentation(resourceId: string, stored: Stored): PresentationDraft {
  const queries = useQueryClient();
  /** What was stored when the first value was edited. */
  const [origin, setOrigin] = useState<Stored>();
  const [texts, setTexts] = useState<Partial<ResourceTexts>>({});
  const [edits, setEdits] = useState<ColumnEdits>({});
  const [uses, setUses] = useState<readonly Use[]>([]);
  const [isOverwriting, setOverwriting] = useState(false);
  /** The columns of the last request, in its order. */
  const [sent, setSent] = useState<readonly string[]>([]);
  const base = origin ?? stored;
  const changes = {
    texts: differing(texts, base.texts),
    columns: base.columns.flatMap((column) => {
      const changed = differing(edits[column.name] ?? {}, column);
      return Object.keys(changed).length === 0 ? [] : [{ ...changed, name: column.name }];
    }),
  };
  const discard = () => {
    setTexts({});
    setEdits({});
    setOrigin(undefined);
    setOverwriting(false);
  };
  const save = async (): Promise<void> => {
    const path = { id: resourceId };
    // The tag is read before what is compared, so that it does not cover a later change.
    const { data: texts, etag: ifMatch } = await client.admin.get("/resources/{id}", { path });
    const { data: columns } = await client.admin.get("/resources/{id}/columns", { path });
    const now = { texts, columns };
    const isOverwritten = isChangedMeanwhile(placed(base), placed(now), placed(changes));
    setOverwriting(isOverwritten);
    if (isOverwritten) {
      setOrigin(now);
      return;
    }
    setSent(changes.columns.map(({ name }) => name));
    const some = changes.columns.length === 0 ? {} : { columns: changes.columns };
    const data = { ...changes.texts, ...some };
    const answer = await client.admin.patch("/resources/{id}", { path, data, ifMatch });
    discard();
    setUses(answer.data.uses);
  };
  const task = useTask(async () => {
    setUses([]);
    try {
      await onPresentVersion(save);
    } finally {
      await Promise.all(
        [columnsQuery(resourceId), resourceQuery(resourceId), navigationQuery].map(({ queryKey }) =>
          queries.invalidateQueries({ queryKey }),
        ),
      );
    }
  }, ["/data/label", "/data/description", "/data/title", "/data/columns"]);
  const edit = () => setOrigin((last) => last ?? stored);
  return {
    ...{ texts, columns: edits, task, uses, isOverwriting, discard },
    count: Object.keys(placed(changes)).length,
    editTexts: (change) => {
      edit();
      setTexts((last) => ({ ...last, ...change }));
    },
    editColumn: (name, change) => {
      edit();
      setEdits((last) => ({ ...last, [name]: { ...last[name], ...change } }));
    },
    columnFault: (name, field) => task.faultAt(`/data/columns/${sent.indexOf(name)}/${field}`),
  };
}

/** The edited values that differ from the stored ones. */
function differing<Values extends object>(edit: Partial<Values>, stored: Values): Partial<Values> {
  const changed = Object.entries(edit).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof Values]),
  );
  return Object.fromEntries(changed) as Partial<Values>;
}

/** Every value as JSON, by its place. */
function placed(all: {
  readonly texts: object;
  readonly columns: readonly { readonly name: string }[];
}): Readonly<Record<string, string>> {
  const values = all.columns.map(({ name, ...column }) => [`column ${name}`, column] as const);
  return Object.fromEntries(
    [["texts", all.texts] as const, ...values].flatMap(([owner, fields]) =>
      Object.entries(fields).map(([field, value]) => [`${owner} ${field}`, JSON.stringify(value)]),
    ),
  );
}
