import { useEffect, useRef, useState } from "react";
import { client } from "../shell/client.ts";
import { type RunRequest, type SqlAnswer, sentText } from "./run-request.ts";

/** How a run has ended. */
type RunOutcome =
  | { readonly kind: "done"; readonly request: RunRequest; readonly answer: SqlAnswer }
  | { readonly kind: "failed"; readonly request: RunRequest; readonly error: unknown };

/** A run in progress, or the last one. */
export interface Runner {
  readonly isRunning: boolean;
  readonly isCancelling: boolean;
  readonly outcome: RunOutcome | undefined;
  start(request: RunRequest): void;
  cancel(): void;
}

interface Running {
  readonly id: string;
  readonly connection: AbortController;
  readonly isCancelling: boolean;
}

/**
 * Runs statements, one request at a time. Leaving the page ends the run.
 *
 * @param onEnd called with each outcome
 */
export function useRun(onEnd: (outcome: RunOutcome) => void): Runner {
  const [running, setRunning] = useState<Running>();
  const [outcome, setOutcome] = useState<RunOutcome>();
  const latest = useRef<AbortController>(undefined);
  useEffect(() => () => latest.current?.abort(), []);
  const start = (request: RunRequest): void => {
    if (running !== undefined) return;
    const connection = new AbortController();
    latest.current = connection;
    const id = newId();
    setRunning({ id, connection, isCancelling: false });
    setOutcome(undefined);
    const { readOnly, rowsMax, timeoutMs } = request;
    const data = {
      ...{ id, readOnly, sql: sentText(request) },
      ...(rowsMax === undefined ? {} : { rowsMax }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    };
    client.admin
      .post("/sql", { data, signal: connection.signal })
      .then(
        (answer): RunOutcome => ({ kind: "done", request, answer: answer.data }),
        (error: unknown): RunOutcome => ({ kind: "failed", request, error }),
      )
      .then((ended) => {
        setRunning(undefined);
        setOutcome(ended);
        onEnd(ended);
      });
  };
  const cancel = (): void => {
    if (running === undefined || running.isCancelling) return;
    setRunning({ ...running, isCancelling: true });
    client.admin
      .delete("/sql/{id}", { path: { id: running.id } })
      // The service does not know the run yet, or not any more; the end of its connection stops it in both cases.
      .catch(() => running.connection.abort());
  };
  return {
    ...{ start, cancel, outcome },
    isRunning: running !== undefined,
    isCancelling: running?.isCancelling === true,
  };
}

/** A random UUID. `crypto.randomUUID` is missing on pages without TLS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
