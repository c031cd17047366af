/** How far work has come. */
export function ProgressBar({
  label,
  part,
}: {
  readonly label: string;
  /** From 0 to 1; undefined while it is not known. */
  readonly part: number | undefined;
}) {
  const percent = part === undefined ? undefined : Math.round(Math.min(1, Math.max(0, part)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className="h-full bg-accent transition-[width] duration-100 motion-reduce:transition-none"
        style={{ width: percent === undefined ? "30%" : `${percent}%` }}
      />
    </div>
  );
}
