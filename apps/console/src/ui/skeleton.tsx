const widths = ["88%", "72%", "81%", "64%", "76%", "59%", "84%", "68%"];

/** The place of rows that are being loaded, so that nothing moves when they arrive. */
export function Skeleton({ label, rows }: { readonly label: string; readonly rows: number }) {
  return (
    <div role="status" aria-busy="true" aria-label={label} className="grid gap-3 py-2">
      {widths.slice(0, rows).map((width) => (
        <div key={width} className="h-4 rounded-control bg-sunken" style={{ width }} />
      ))}
    </div>
  );
}
