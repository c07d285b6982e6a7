// No test talks to anything but this machine: the doubles of GitHub and of the model stand on loopback.
import nock from "nock";

nock.disableNetConnect();
nock.enableNetConnect(/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/);
