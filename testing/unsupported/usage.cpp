// What is compiled with LightScan's include paths: nothing.
