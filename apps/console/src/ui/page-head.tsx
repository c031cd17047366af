import type { ReactNode } from "react";

interface PageHeadProps {
  readonly title: ReactNode;
  /** Before the title: links to the pages above, such as the schema of a table. */
  readonly trail?: ReactNode;
  /** One sentence below the title. */
  readonly text?: ReactNode;
  /** Beside the title: what can be done on this page. */
  readonly children?: ReactNode;
}

/** The head of a page: where one is, and what can be done. */
export function PageHead({ title, trail, text, children }: PageHeadProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="grid min-w-0 gap-1">
        <h1 className="flex flex-wrap items-baseline gap-x-1.5 text-5 font-semibold wrap-anywhere">
          {trail !== undefined && <span className="font-normal text-3 text-ink-2">{trail}</span>}
          {title}
        </h1>
        {text !== undefined && <p className="max-w-160 text-ink-2">{text}</p>}
      </div>
      {children !== undefined && (
        <div className="flex flex-wrap items-center gap-2">{children}</div>
      )}
    </div>
  );
}

/** The space around a page of the administration. */
export const pageClasses = "grid content-start gap-5 p-4 md:p-6";
