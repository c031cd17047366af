import { useEffect, useState } from "react";

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
}

/**
 * Reads once for a page that is shown before the query cache is loaded.
 *
 * @param read the same function in every render
 */
export function useRead<Data>(read: (signal: AbortSignal) => Promise<Data>): Answer<Data> {
  const [answer, setAnswer] = useState<Answer<Data>>({});
  useEffect(() => {
    const abort = new AbortController();
    read(abort.signal).then(
      (data) => setAnswer({ data }),
      (error: unknown) => {
        if (!abort.signal.aborted) setAnswer({ error });
      },
    );
    return () => abort.abort();
  }, [read]);
  return answer;
}
