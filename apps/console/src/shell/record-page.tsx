import { RowhouseError } from "@rowhouse/client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { pageClasses } from "../ui/page-head.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { FailureNotice } from "./failure-notice.tsx";
import { MissingPage } from "./message-page.tsx";

interface RecordPageProps<T> {
  readonly record: T | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly children: (record: T) => ReactNode;
}

/** The page of one record: while it loads, if it is missing, if it cannot be loaded, and itself. */
export function RecordPage<T>({ record, error, onRetry, children }: RecordPageProps<T>) {
  const words = useTranslations("manage");
  if (record === undefined && error instanceof RowhouseError && error.status === 404) {
    return <MissingPage isInFrame />;
  }
  return (
    <div className={pageClasses}>
      {record === undefined && error !== null && <FailureNotice error={error} onRetry={onRetry} />}
      {record === undefined && error === null && <Skeleton label={words("loading")} rows={8} />}
      {record !== undefined && children(record)}
    </div>
  );
}
