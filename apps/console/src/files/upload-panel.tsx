import { useTranslations } from "use-intl";
import { UploadRow } from "../records/library/upload-row.tsx";
import { uploads } from "../records/library/uploads.ts";
import { useUploads } from "../records/library/use-uploads.ts";
import { ToolButton } from "../ui/tool-button.tsx";

/** The uploads of this tab, below the list. */
export function UploadPanel() {
  const t = useTranslations("files.uploads");
  const tasks = useUploads();
  if (tasks.length === 0) return null;
  const done = tasks.filter(({ state }) => state === "DONE");
  const running = tasks.filter(({ state }) => state === "RUNNING" || state === "WAITING");
  const paused = tasks.filter(({ state }) => state === "PAUSED");
  return (
    <section
      aria-label={t("title")}
      className="grid max-h-2/5 shrink-0 grid-rows-[auto_minmax(0,1fr)] border-line-strong border-t bg-surface"
    >
      <div className="flex items-center gap-1 border-line border-b py-1.5 pr-2 pl-3.5">
        <p role="status" className="min-w-0 flex-1 truncate font-medium">
          {t("summary", { done: done.length, all: tasks.length })}
        </p>
        {running.length > 1 && (
          <ToolButton kind="bare" onClick={() => each(running, (id) => uploads.pause(id))}>
            {t("pauseAll")}
          </ToolButton>
        )}
        {paused.length > 1 && (
          <ToolButton kind="bare" onClick={() => each(paused, (id) => uploads.resume(id))}>
            {t("resumeAll")}
          </ToolButton>
        )}
        {done.length > 0 && (
          <ToolButton kind="bare" onClick={() => each(done, (id) => uploads.cancel(id))}>
            {t("clear")}
          </ToolButton>
        )}
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] content-start gap-x-6 gap-y-2.5 overflow-auto px-3.5 py-2.5">
        {tasks.map((task) => (
          <li key={task.id} className="[content-visibility:auto]">
            <UploadRow task={task} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function each(tasks: readonly { readonly id: number }[], act: (id: number) => void): void {
  for (const { id } of tasks) act(id);
}
