import { RowhouseError } from "@rowhouse/client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useLeaveGuard } from "./use-leave-guard.ts";
import { type Task, useTask } from "./use-task.ts";

interface RecordFormOptions<Form> {
  /** The fields of the record as the page has read it. */
  readonly record: Form;
  /** Removes what does not belong to the values, such as spaces around them. */
  readonly tidy?: (form: Form) => Form;
  /** Reads the fields as they are now, with the tag of their version. */
  readonly read: () => Promise<{ readonly fields: Form; readonly etag: string | undefined }>;
  /** Sends the fields that differ, unless the version is another one, and returns all as they are then. */
  readonly write: (changes: Partial<Form>, ifMatch: string | undefined) => Promise<Form>;
  /** JSON pointers of the fields that show their own faults. */
  readonly pointers: readonly string[];
}

interface RecordForm<Form> {
  /** The fields of the record, as they were last read. */
  readonly base: Form;
  readonly form: Form;
  readonly setForm: (form: Form) => void;
  /** Of the last attempt; `changed` if another person has changed a field of the form meanwhile. */
  readonly outcome: "saved" | "changed" | undefined;
  readonly task: Task;
}

/**
 * A form over a record. Only fields that differ are sent, and none that another person has changed meanwhile. Its page asks
 * before it is left with changes.
 */
export function useRecordForm<Form extends object>({
  record,
  tidy = (form) => form,
  read,
  write,
  pointers,
}: RecordFormOptions<Form>): RecordForm<Form> {
  const words = useTranslations("manage");
  const [base, setBase] = useState(record);
  const [form, setForm] = useState(base);
  const [outcome, setOutcome] = useState<"saved" | "changed">();
  const task = useTask(async () => {
    setOutcome(undefined);
    const tidied = tidy(form);
    const changes = changedFields(base, tidied);
    await onPresentVersion(async () => {
      const { fields: now, etag } = await read();
      const isChanged = isChangedMeanwhile(base, now, changes);
      const next = isChanged ? now : await write(changes, etag);
      setBase(next);
      setForm(isChanged ? carryOver(tidied, base, now) : next);
      setOutcome(isChanged ? "changed" : "saved");
    });
  }, pointers);
  const isUnsaved = Object.keys(changedFields(base, form)).length > 0;
  useLeaveGuard(isUnsaved && !task.isBusy, words("leave"));
  return { base, form, setForm, outcome, task };
}

/** The fields of a form whose values differ from those of the record, as it was read. */
export function changedFields<T extends object>(base: T, form: T): Partial<T> {
  const names = Object.keys(form) as (keyof T)[];
  return Object.fromEntries(
    names.filter((name) => form[name] !== base[name]).map((name) => [name, form[name]]),
  ) as Partial<T>;
}

/** Whether another person has changed one of the fields between two readings of a record. */
export function isChangedMeanwhile<T extends object>(before: T, now: T, fields: object): boolean {
  return (Object.keys(fields) as (keyof T)[]).some((name) => before[name] !== now[name]);
}

/** The form over a newer reading of its record: the fields that nobody typed in take the new values. */
export function carryOver<T extends object>(form: T, base: T, now: T): T {
  return { ...now, ...changedFields(base, form) };
}

const attemptsMax = 3;

/**
 * Runs work that reads a record, compares it, and writes it with the tag that it has read. If another person changes the
 * record in between, the work runs again.
 */
export async function onPresentVersion<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isOutdated = error instanceof RowhouseError && error.status === 412;
      if (!isOutdated || attempt === attemptsMax) throw error;
    }
  }
}
