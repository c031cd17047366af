import { RowhouseError } from "@rowhouse/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDelayed } from "./use-delayed.ts";

interface Question<Answer> {
  readonly key: readonly unknown[];
  /** The draft as JSON; empty for nothing to ask. */
  readonly body: string;
  readonly load: (body: string, signal: AbortSignal) => Promise<Answer>;
}

/** What the service says of a draft. */
interface DraftAnswer<Answer> {
  /** The last answer: to an earlier draft until the one to the present draft arrives. */
  readonly last: Answer | undefined;
  /** The answer; undefined until there is one, and after faults. */
  readonly answer: Answer | undefined;
  /** The refusal of the draft. */
  readonly refusal: RowhouseError | undefined;
  /** A failure that is no fault of the draft. */
  readonly failure: unknown;
  /** Whether the answer is that to the draft as it is now. */
  readonly isCurrent: boolean;
  retry(): void;
}

/** Milliseconds without a change until the service is asked. */
const delayMs = 300;

/** Asks about a draft after each change. Only the answer to the latest one is shown. */
export function useDraftAnswer<Answer>(question: Question<Answer>): DraftAnswer<Answer> {
  const body = useDelayed(question.body, delayMs);
  const isEmpty = body === "";
  const query = useQuery({
    queryKey: ["draft-answer", ...question.key, body],
    queryFn: ({ signal }) => question.load(body, signal),
    enabled: !isEmpty,
    // What the draft is about changes without it.
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const error = isEmpty ? null : query.error;
  const isRefusal = error instanceof RowhouseError && error.status >= 400 && error.status < 500;
  return {
    last: query.data,
    answer: isEmpty || error !== null ? undefined : query.data,
    refusal: isRefusal ? error : undefined,
    failure: isRefusal ? null : error,
    isCurrent:
      body === question.body && (isEmpty || (!query.isFetching && !query.isPlaceholderData)),
    retry: () => void query.refetch(),
  };
}
