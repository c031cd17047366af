import { RowhouseError } from "@rowhouse/client";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "./failure-text.ts";

/** The state of a form that sends one request. */
export interface Task {
  readonly isBusy: boolean;
  /** The words for a failure that no field of the form shows. */
  readonly failure: string | undefined;
  readonly code: string | undefined;
  /** The message at a field or within its value, by its JSON pointer. */
  faultAt(pointer: string): string | undefined;
  /** For the form's `onSubmit`. */
  submit(event: FormEvent): void;
  run(): void;
}

/**
 * Runs the request of a form. What was typed stays after a failure.
 *
 * @param fields JSON pointers of the fields that show their own faults
 */
export function useTask(work: () => Promise<void>, fields: readonly string[]): Task {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const describe = useFailureText();
  const t = useTranslations("errors");
  const faults = error instanceof RowhouseError ? error.faults : [];
  const isShown = faults.some(({ path }) => fields.some((field) => isWithin(path, field)));
  const run = () => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    work()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return {
    run,
    isBusy,
    failure: error === undefined || isShown ? undefined : describe(error),
    code: error instanceof RowhouseError ? error.code : undefined,
    faultAt: (pointer) => {
      const fault = faults.find(({ path }) => isWithin(path, pointer));
      return fault !== undefined && pointer === "/email" ? t("email") : fault?.message;
    },
    submit: (event) => {
      event.preventDefault();
      run();
    },
  };
}

function isWithin(path: string | undefined, field: string): boolean {
  return path === field || path?.startsWith(`${field}/`) === true;
}
