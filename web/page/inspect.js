// What few readers use at a first visit: the stepper and the timeline. web/site/build.sh bundles
// this file; a box loads it when one of them is first opened (inspecting.js).
import { openStepper } from './stepper.js';
import { timelinePicture } from './timeline.js';

window.Inspect = { openStepper, timelinePicture };
