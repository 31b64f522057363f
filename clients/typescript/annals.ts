/**
 * annals for TypeScript: every operation of `annals pipe`; one file, no dependencies, Node 18
 * (compiled, or as it stands by Node's type stripping: nothing in it but types has to be taken out).
 *
 *     import { Annals, AnnalsError } from "./annals.ts";
 *
 *     const annals = await Annals.open({ session: "run-1" }); // in a project: `annals init` makes one
 *     await annals.ops.record_execution({ tool: "bash_exec", arguments: { command: "make" }, exit_code: 2 });
 *     await annals.ops.mem_node_fork({ child_node_id: "root" });
 *     await annals.ops.mem_core_set({ branch: "root", key: "compiler", value: "gcc 14" });
 *     console.log(await annals.call<string>("render_for_prompt", { branch: "root" }));
 *     await annals.close();
 *
 * `ops.NAME` is the operation of that name; `ops.help()` tells what each takes. A promise resolves when what
 * was recorded is durable, and rejects with an AnnalsError. What is asked without awaiting shares commits.
 * A pipe that broke (annals ended, or answered nothing for `timeout` milliseconds) is ended, and says so from
 * then on; what annals printed on its standard error, the last of it, is in the error and in `annals.said`.
 */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";

const PROTOCOL = 1;
const SAID_CHARS_MAX = 16_384;
const TIMEOUT_MS = 60_000;
const CLOSE_MS_MAX = 10_000;
/** From a polite end to one that cannot be refused. */
const GRACE_MS = 500;
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json | undefined };
export type Args = { [name: string]: Json | undefined };
export type Ops = { [op: string]: (args?: Args) => Promise<any> };

export interface Options {
  /** The project's folder; else the nearest one upward that is a project. */
  dir?: string;
  session?: string;
  /** The program; else `annals`. */
  program?: string;
  /** Milliseconds without an answer after which the pipe is given up; else 60 000. `close` waits 10 000 at most. */
  timeout?: number;
}

/** An operation was not done: `kind` is for programs, `hint` says what to do. */
export class AnnalsError extends Error {
  readonly kind: string;
  readonly hint: string | null;

  constructor(kind: string, message: string, hint: string | null = null) {
    super(hint ? `${message} (try: ${hint})` : message);
    [this.name, this.kind, this.hint] = ["AnnalsError", kind, hint];
  }
}

type Failure = { kind: string; message: string; hint: string | null };
type Answer = { ok: boolean; result: unknown; sequence?: number; error: Failure };
type Waiting = { resolve: (answer: Answer) => void; reject: (error: Error) => void };

/** A pipe to `annals`. */
export class Annals {
  /** Each operation as a function. */
  readonly ops: Ops = new Proxy({} as Ops, {
    // Awaited or printed, it is an object like any other.
    get: (_, op) => (typeof op === "symbol" || op === "then" ? undefined : (args?: Args) => this.call(op, args)),
  });
  project = "";
  names: string[] = [];
  /** The last event that an answer told of. */
  sequence: number | undefined;
  /** The last that annals printed on its standard error. */
  said = "";
  private last = 0;
  private waiting: Waiting[] = [];
  private pieces: Buffer[] = [];
  private over: AnnalsError | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly ended: Promise<void>;
  private readonly pipe: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly timeout: number;
  private resolve: () => void = () => {};

  private constructor(pipe: ChildProcessByStdio<Writable, Readable, Readable>, timeout: number) {
    [this.pipe, this.timeout] = [pipe, timeout];
    this.ended = new Promise((resolve) => (this.resolve = resolve));
    pipe.stdout.on("data", (bytes: Buffer) => this.read(bytes));
    pipe.stderr.on("data", (text) => (this.said = (this.said + text).slice(-SAID_CHARS_MAX)));
    pipe.stdin.on("error", () => {}); // It ended: who waits is told.
    pipe.on("error", (error) => this.break("start", `${pipe.spawnfile} does not start: ${error.message}`));
    const end = (code: number | null, signal: string | null) =>
      this.break("ended", `annals ended (${signal ?? `exit code ${code}`})`);
    pipe.on("close", end);
    // What annals left behind may hold its output open: its own end is the end.
    pipe.on("exit", (code, signal) => setTimeout(end, GRACE_MS, code, signal).unref());
  }

  static async open({ dir, session, program = "annals", timeout = TIMEOUT_MS }: Options = {}): Promise<Annals> {
    const args = [...(session ? ["--session", session] : []), ...(dir ? ["--dir", dir] : [])];
    const annals = new Annals(spawn(program, ["pipe", ...args], { stdio: ["pipe", "pipe", "pipe"] }), timeout);
    const greeting = (await annals.next()) as unknown as { protocol: number; project: string; ops: string[] };
    if (greeting?.protocol !== PROTOCOL) throw annals.break("protocol", `another protocol than ${PROTOCOL}`);
    [annals.project, annals.names] = [greeting.project, greeting.ops];
    return annals;
  }

  /** Does one operation, for the pipe's session or another, and gives its result. */
  async call<T = unknown>(op: string, args: Args = {}, session?: string): Promise<T> {
    const request = JSON.stringify({ id: ++this.last, op, args, session }, (name, value) => {
      if (typeof value !== "number" || Number.isFinite(value)) return value;
      throw new AnnalsError("arguments", `${name}: ${value} is no number of JSON`);
    });
    const { ok, result, sequence, error } = await this.next(request + "\n");
    if (!ok) throw new AnnalsError(error.kind, error.message, error.hint);
    this.sequence = sequence ?? this.sequence;
    return result as T;
  }

  /**
   * Ends the pipe: everything is answered, and the stores are caught up. Where that takes too long it is
   * stopped: what was acknowledged stands, and stores catch up another time.
   */
  async close(): Promise<void> {
    const wait = Math.min(CLOSE_MS_MAX, this.timeout);
    const bound = setTimeout(() => this.break("timeout", `annals did not end within ${wait} ms`), wait);
    this.pipe.stdin.end();
    await this.ended;
    clearTimeout(bound);
  }

  /** Ends it, whatever state it is in: who waits is told why, and who asks from now on. */
  private break(kind: string, why: string): AnnalsError {
    if (this.over) return this.over;
    const said = this.said.trim();
    const over = (this.over = new AnnalsError(kind, said ? `${why}: ${said}` : why));
    clearTimeout(this.timer);
    this.waiting.splice(0).forEach(({ reject }) => reject(over));
    const kill = setTimeout(() => this.pipe.kill("SIGKILL"), GRACE_MS);
    this.pipe.once("exit", () => clearTimeout(kill));
    if (!this.pipe.kill()) clearTimeout(kill); // It ended, or never began.
    [this.pipe.stdin, this.pipe.stdout, this.pipe.stderr].forEach((end) => end?.destroy());
    this.resolve();
    return over;
  }

  private next(request = ""): Promise<Answer> {
    if (this.over) return Promise.reject(this.over);
    this.pipe.stdin.write(request);
    if (this.waiting.length === 0) this.patience();
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  /** Waits anew for an answer. */
  private patience(): void {
    clearTimeout(this.timer);
    const late = () => this.break("timeout", `annals did not answer within ${this.timeout} ms`);
    this.timer = setTimeout(late, this.timeout);
  }

  private read(bytes: Buffer): void {
    for (let end; (end = bytes.indexOf(10)) >= 0; bytes = bytes.subarray(end + 1)) {
      const line = Buffer.concat([...this.pieces.splice(0), bytes.subarray(0, end)]).toString("utf8");
      const waiting = this.waiting.shift();
      if (this.waiting.length > 0) this.patience();
      else clearTimeout(this.timer);
      try {
        waiting?.resolve(JSON.parse(line) as Answer);
      } catch {
        waiting?.reject(new AnnalsError("protocol", `no JSON: ${line.slice(0, 80)}`));
      }
    }
    if (bytes.length > 0) this.pieces.push(bytes);
  }
}
