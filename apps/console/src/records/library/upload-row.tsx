import { useFormatter, useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Check, Pause, Play, RotateCw, X } from "../../ui/icons.generated.ts";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import type { UploadTask } from "./upload-queue.ts";
import { uploads } from "./uploads.ts";
import { useFileWords } from "./use-file-words.ts";

/** One upload: how far it is, why it failed, and what one can do with it. */
export function UploadRow({ task }: { readonly task: UploadTask }) {
  const t = useTranslations("files.uploads");
  const describe = useFailureText();
  const { id, name, sent, total, state } = task;
  const part = total === 0 ? 1 : sent / total;
  const isOpen = state === "RUNNING" || state === "WAITING" || state === "PAUSED";
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center gap-1">
        {state === "DONE" && <Check size={14} aria-hidden="true" className="shrink-0 text-ok" />}
        <span className="min-w-0 flex-1 truncate" dir="auto" title={name}>
          {name}
        </span>
        <span className="shrink-0 text-2 text-ink-2 tabular-nums">
          <State task={task} part={part} />
        </span>
        {(state === "RUNNING" || state === "WAITING") && (
          <IconButton
            isSmall
            label={t("pause", { name })}
            icon={Pause}
            onPress={() => uploads.pause(id)}
          />
        )}
        {state === "PAUSED" && (
          <IconButton
            isSmall
            label={t("resume", { name })}
            icon={Play}
            onPress={() => uploads.resume(id)}
          />
        )}
        {state === "FAILED" && (
          <IconButton
            isSmall
            label={t("retry", { name })}
            icon={RotateCw}
            onPress={() => uploads.resume(id)}
          />
        )}
        <IconButton
          isSmall
          label={t(isOpen ? "cancel" : "dismiss", { name })}
          icon={X}
          onPress={() => uploads.cancel(id)}
        />
      </div>
      {isOpen && <ProgressBar label={t("progress", { name })} part={part} />}
      {state === "FAILED" && (
        <p role="alert" className="text-2 text-danger wrap-anywhere">
          {describe(task.error)}
        </p>
      )}
    </div>
  );
}

function State({ task, part }: { readonly task: UploadTask; readonly part: number }) {
  const t = useTranslations("files.uploads");
  const format = useFormatter();
  const { size } = useFileWords();
  switch (task.state) {
    case "WAITING":
      return t("waiting");
    case "PAUSED":
      return t("paused", { part: format.number(part, { style: "percent" }) });
    case "RUNNING":
      return t("running", { sent: size(task.sent), all: size(task.total) });
    case "DONE":
      return t("done");
    case "FAILED":
      return t("failed");
  }
}
