// Whether single keys are shortcuts: on, unless the member switched them off in this browser (WCAG 2.1.4).
import { deviceSwitch } from './device-switch';

export const { change: switchSingleKeys, use: useSingleKeys } = deviceSwitch('portia-single-keys');
