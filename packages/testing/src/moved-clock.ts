// Loaded before an app, so that a test can move the app's clock: the parent process sends the offset in milliseconds.
let aheadMs = 0;
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, created) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + aheadMs] : args, created),
  get: (target, name) =>
    name === "now" ? () => RealDate.now() + aheadMs : Reflect.get(target, name),
});
process.on("message", (ms) => {
  aheadMs = Number(ms);
  process.send?.(ms);
});
// The channel must not keep the app running.
process.channel?.unref();
