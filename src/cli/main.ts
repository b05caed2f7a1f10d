#!/usr/bin/env node
import { addAnalyze, addGraph, addInfo, addSites } from './commands.ts';
import { addBundle } from './bundle.ts';
import { addCauses } from './causes.ts';
import { addCollect } from './collect.ts';
import { addCompare } from './compare.ts';
import { addDios } from './dios.ts';
import { addDoctor } from './doctor.ts';
import { addFleet } from './fleet/fleet.ts';
import { addLayers } from './layers.ts';
import { addOperations } from './operations.ts';
import { addExport } from './export.ts';
import { addPatterns } from './patterns.ts';
import { addReplay } from './replay.ts';
import { addRecord } from './record/record.ts';
import { addWorkflow } from './workflow.ts';
import { commandLine, runCommandLine } from './run-command-line.ts';

const program = commandLine();
addInfo(program);
addAnalyze(program);
addSites(program);
addGraph(program);
addCompare(program);
addLayers(program);
addOperations(program);
addPatterns(program);
addCauses(program);
addExport(program);
addReplay(program);
addRecord(program);
addDios(program);
addCollect(program);
addFleet(program);
addDoctor(program);
addBundle(program);
addWorkflow(program);

runCommandLine(program);
