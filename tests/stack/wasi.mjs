/* wasi.mjs - runs a program of WebAssembly with the system interface of WASI:  node wasi.mjs FILE */
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const file = process.argv[2];
const wasi = new WASI({ version: 'preview1', args: [file], preopens: { '.': '.' }, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(readFileSync(file), wasi.getImportObject());
process.exitCode = wasi.start(instance);
