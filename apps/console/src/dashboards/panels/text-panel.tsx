import { lazy, Suspense } from "react";

const MarkdownText = lazy(async () => ({
  default: (await import("./markdown-text.tsx")).MarkdownText,
}));

/** A text that an administrator wrote; the parser is loaded only where there is one. */
export function TextPanel({ markdown }: { readonly markdown: string }) {
  return (
    <div className="h-full overflow-auto wrap-anywhere" dir="auto">
      <Suspense fallback={<p className="whitespace-pre-wrap">{markdown}</p>}>
        <MarkdownText markdown={markdown} />
      </Suspense>
    </div>
  );
}
