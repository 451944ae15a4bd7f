/** uPlot has types of its own; what the page draws is checked by looking at it. */
declare const uPlot: any;
export default uPlot;
